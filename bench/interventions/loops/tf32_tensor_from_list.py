"""The loop of tensor-from-list, and the same with TF32 for its products of float32."""

from loops import tensor_from_list as pair
from parts import in_tf32

ID = "tf32-tensor-from-list"
QUESTION = "Are products of float32 to blame in tensor-from-list? (Hardly: the host takes most of the step.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 3


def build(device):
    return in_tf32(pair.build, device)
