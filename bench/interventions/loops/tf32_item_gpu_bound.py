"""The loop of item-gpu-bound, and the same with TF32 for its products of float32."""

from loops import item_gpu_bound as pair
from parts import in_tf32

ID = "tf32-item-gpu-bound"
QUESTION = "Are products of float32 to blame in item-gpu-bound? (Yes: the GPU is the bottleneck, and multiplies without tensor cores.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "slow-kernels:float32"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
