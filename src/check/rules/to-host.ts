import { isTrue, placeIn } from '../flow/torch'
import { replaceMethod } from '../edits'
import type { Rule } from '../rule'

export const toHostRule: Rule = {
  id: 'to-host',
  kind: 'blocks',
  title: 'A copy to the host waits for the GPU',
  why: '`.cpu()` and `.to("cpu")` return when the data has arrived, so Python stops until the GPU has finished and copied it.',
  unless: 'It does not matter if the host has nothing to do afterwards, or needs the data now.',
  instead:
    'Scalars: keep them on the GPU (`.detach()`), and copy once after the loop. Large outputs: `.to("cpu", non_blocking=True)`, and wait for an event before you read them, some steps later.',
  cause: 'read-back',
  sources: [
    'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
  ],
  on: {
    call: ({ node, method, receiver, args, named }, at) => {
      if (receiver.kind !== 'tensor' || node.callee.kind !== 'attribute') return null
      const isCopy =
        method === 'cpu' || (method === 'to' && placeIn(named.get('device') ?? args[0]) === 'cpu')
      if (!isCopy || isTrue(named.get('non_blocking')) === true) return null
      // Anything larger than a loss may fill the GPU's memory when it is kept there.
      const isKept =
        at.statement.kind === 'expression' &&
        at.textOf(at.statement).includes('append(') &&
        /loss/i.test(at.textOf(node.callee.object))
      return {
        node,
        ifOnGpu: receiver,
        asked: node.callee.object,
        fix: isKept && node.to === at.statement.to - 1 ? replaceMethod(at, node, '.detach()') : [],
      }
    },
  },
  matches: ['losses.append(loss.cpu())', 'values = out.to("cpu")', 'values = out.detach().cpu().numpy()'],
  misses: [
    'values = torch.ones(3).cpu()',
    'values = out.to("cpu", non_blocking=True)',
    'if step % 50 == 0:\n    print(out.cpu())',
  ],
}
