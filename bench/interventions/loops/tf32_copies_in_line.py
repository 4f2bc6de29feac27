"""The loop of copies-in-line, and the same with TF32 for its products of float32."""

from loops import copies_in_line as pair
from parts import in_tf32

ID = "tf32-copies-in-line"
QUESTION = "Are products of float32 to blame in copies-in-line? (Yes, as much as the copies.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "copies-in-line"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
