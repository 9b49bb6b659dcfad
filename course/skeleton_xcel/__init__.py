"""Skeleton: an accelerator with registers of its own; RSAXCEL_DESIGNS names this folder."""

from pathlib import Path

from rsaxcel.course.own import xcel_core
from rsaxcel.course.skeleton_xcel import skeleton_fl, skeleton_rtl

DESIGNS = xcel_core(
    Path(__file__).with_name("core"), skeleton_fl.Registers, component=skeleton_rtl.SkeletonXcel
)
