import type { Rule } from '../rule'

export const readTooEarlyRule: Rule = {
  id: 'read-too-early',
  kind: 'copies',
  title: 'The copy may not have arrived when it is read',
  why: 'A copy to the host with `non_blocking=True` returns at once, so what is read here may be the memory’s old content.',
  unless: 'It does not matter if something else has synchronized in between.',
  instead: 'Call `torch.cuda.synchronize()` (or wait for an event) before you read it, as late as you can.',
  cause: 'synchronize',
  sources: [
    'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
    'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
  ],
  on: {
    call: ({ node, path, method, receiver, args }, at) => {
      const isRead = /^(item|tolist|numpy)$/.test(method ?? '')
      const value = isRead ? receiver : /^(print|float|int|bool)$/.test(path ?? '') ? args[0] : undefined
      if (value?.kind !== 'tensor' || value.copiedAfter === null || value.copiedAfter !== at.waits)
        return null
      const { statement, text } = at
      const start = text.lastIndexOf('\n', statement.from - 1) + 1
      const indent = text.slice(start, statement.from)
      const fix =
        indent.trim() === '' ? [{ from: start, to: start, text: `${indent}torch.cuda.synchronize()\n` }] : []
      return { node, fix }
    },
  },
  matches: ['values = out.detach().to("cpu", non_blocking=True)\narray = values.numpy()'],
  misses: [
    'values = out.detach().to("cpu", non_blocking=True)\ntorch.cuda.synchronize()\narray = values.numpy()',
    'values = out.detach().to("cpu")\narray = values.numpy()',
  ],
}
