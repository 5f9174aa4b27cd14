"""The kernels as object code: compiled ahead of time, for wheels and for the desk.

python -m tools.object_code            # builds it, if it is not there or out of date
python -m tools.object_code --record   # finds out anew which kernels Python calls, and with what
"""
