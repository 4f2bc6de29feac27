import { everySoOften } from '../edits'
import type { Rule } from '../rule'

export const logRule: Rule = {
  id: 'log',
  kind: 'blocks',
  title: 'Formatting or logging a tensor reads it: the host waits',
  why: 'An f-string, `format`, `%` or a logger turns the value into text, which copies it to the host and stops Python until the GPU has caught up.',
  unless: 'It does not matter if it happens every 50 steps or less often.',
  instead: 'Log every 50 steps, or append `loss.detach()` to a list and log the values after the loop.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://github.com/pytorch/pytorch/blob/main/torch/utils/tensorboard/_convert_np.py',
  ],
  on: {
    text: ({ node, value, how }, at) =>
      how !== 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
    call: ({ node, path, method, args }, at) => {
      if (
        !/^(add_scalar|add_scalars|add_histogram|log_metric|log_metrics)$/.test(method ?? '') &&
        !/^(wandb|mlflow)\.log/.test(path ?? '')
      )
        return null
      const values = args.flatMap((each) => (each.kind === 'dict' ? [...each.entries.values()] : [each]))
      const value = values.find((each) => each.kind === 'tensor')
      const asked = node.args.find((_, index) => args[index] === value)?.value ?? node
      return value ? { node, ifOnGpu: value, asked, fix: everySoOften(at) } : null
    },
  },
  matches: [
    'message = f"loss {loss:.3f}"',
    'print("%f" % loss)',
    'import logging\nlogging.info("loss %s", loss)',
    'writer.add_scalar("loss", loss, step)',
    'import wandb\nwandb.log({"loss": loss})',
  ],
  misses: ['message = f"step {step}"', 'if step % 50 == 0:\n    print(f"{loss:.3f}")', 'print(f"{x.shape}")'],
}
