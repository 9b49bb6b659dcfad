"""Skeleton: a multiplier, and a design that uses it; RSAXCEL_DESIGNS names this folder."""

from rsaxcel.catalog import Classes, Design
from rsaxcel.course.skeleton import skeleton_cl, skeleton_fl, skeleton_rtl

DESIGNS = (
    Design(
        id=1000,  # TODO: software reads this number; no other design may have it
        name="skeleton_r2l",
        summary="products by doubling and adding",  # TODO: one line for `rsaxcel list`
        multiplier=Classes(skeleton_fl.Skeleton, skeleton_cl.Skeleton, skeleton_rtl.Skeleton),
        schedule="r2l",  # TODO: schedule and lanes; `rsaxcel list` has the choices
        lanes=2,
        source="nowhere yet",  # TODO: document and section
    ),
)
