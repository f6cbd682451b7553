"""A package that passes names on."""
from .a import f, g as h, _private
from .b import *
from . import sub
from other import not_passed, passed as passed
import os as os
import numpy

VERSION = "1"
