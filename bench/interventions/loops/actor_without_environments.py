"""An actor and a learner share the GPU, and NumPy advances the environments. They stand still here."""

from loops import actor_beside_learner as pair

ID = "actor-without-environments"
QUESTION = (
    "actor-beside-learner waits in synchronize(). Are the environments, which NumPy advances, more to blame? "
    "(Yes: they take most of the step.)"
)
CHANGE = "The environments stand still, as on a GPU that advances them at no cost."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False


def build(device):
    found, _, _ = pair.build(device)

    class Still(pair.Pendulums):
        def advance(self, actions):
            pass

    whole, pair.Pendulums = pair.Pendulums, Still
    changed, _, _ = pair.build(device)
    pair.Pendulums = whole
    return found, changed
