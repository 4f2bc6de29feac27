"""The loop of optimizer-innocent, and the same with TF32 for its products of float32."""

from loops import optimizer_innocent as pair
from parts import in_tf32

ID = "tf32-optimizer-innocent"
QUESTION = "Are products of float32 to blame in optimizer-innocent? (Yes: the GPU is the bottleneck, and multiplies without tensor cores.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "slow-kernels:float32"
STACK = False
PROFILED_STEPS = 3


def build(device):
    return in_tf32(pair.build, device)
