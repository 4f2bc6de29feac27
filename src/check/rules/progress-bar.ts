import { everySoOften } from '../edits'
import type { Rule } from '../rule'

export const progressBarRule: Rule = {
  id: 'progress-bar',
  kind: 'blocks',
  title: 'The progress bar reads a tensor: the host waits',
  why: 'tqdm formats what it is given in every iteration, which copies the tensor to the host and stops Python until the GPU has caught up.',
  unless: 'It does not matter if the step is bound by the GPU.',
  instead: 'Set the postfix every 50 steps.',
  cause: 'read-back',
  sources: [
    'https://tqdm.github.io/docs/tqdm/#set_postfix',
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
  ],
  on: {
    call: ({ node, method, args, named }, at) => {
      if (!/^set_(postfix|description)(_str)?$/.test(method ?? '')) return null
      const given = [...args, ...named.values()].flatMap((each) =>
        each.kind === 'dict' ? [...each.entries.values()] : [each],
      )
      const value = given.find((each) => each.kind === 'tensor')
      return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
    },
  },
  matches: [
    'from tqdm import tqdm\nbar = tqdm(loader)\nbar.set_postfix(loss=loss)',
    'bar.set_postfix({"loss": loss.detach()})',
  ],
  misses: ['bar.set_postfix(step=step)', 'if step % 50 == 0:\n    bar.set_postfix(loss=loss)'],
}
