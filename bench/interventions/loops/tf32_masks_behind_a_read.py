"""The loop of masks-behind-a-read, and the same with TF32 for its products of float32."""

from loops import masks_behind_a_read as pair
from parts import in_tf32

ID = "tf32-masks-behind-a-read"
QUESTION = "Are products of float32 to blame in masks-behind-a-read? (Partly: the host takes most of the step.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "read-back"
STACK = True


def build(device):
    return in_tf32(pair.build, device)
