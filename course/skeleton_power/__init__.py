"""Skeleton: an exponentiator in PyMTL3; RSAXCEL_DESIGNS names this folder."""

from pathlib import Path

from rsaxcel.course.own import power_core
from rsaxcel.course.skeleton_power import skeleton_fl, skeleton_rtl

DESIGNS = power_core(
    Path(__file__).with_name("core"), skeleton_fl.model, component=skeleton_rtl.Skeleton
)
