"""The loop of actor-beside-learner, and the same with TF32 for its products of float32."""

from loops import actor_beside_learner as pair
from parts import in_tf32

ID = "tf32-actor-beside-learner"
QUESTION = "Are products of float32 to blame in actor-beside-learner? (Partly: NumPy takes most of the step.)"
CHANGE = 'torch.set_float32_matmul_precision("high")'
CAUSE = "slow-kernels:float32"
FIRST = "host-code"
STACK = False


def build(device):
    return in_tf32(pair.build, device)
