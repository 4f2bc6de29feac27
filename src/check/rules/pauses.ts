/** Rules about calls that stop the host by design. */
import { removeStatement, synchronizeBefore } from '../edits'
import { rulesOf } from '../rule'

export const PAUSES = rulesOf({
  synchronize: {
    call: ({ node, path, method, receiver }, at) => {
      const isStream =
        method === 'synchronize' &&
        receiver.kind === 'thing' &&
        /^torch\.cuda\.(Stream|Event)$/.test(receiver.path)
      const isDevice = /^torch\.(cuda|accelerator|xpu)\.synchronize$/.test(path ?? '')
      const loop = at.loops[0]
      const around = loop ? at.text.slice(loop.from, loop.to) : ''
      if ((!isStream && !isDevice) || COPIES_TO_HOST.test(around)) return null
      return { node, fix: isDevice && at.statement.kind === 'expression' ? removeStatement(at) : [] }
    },
  },
  'empty-cache': {
    call: ({ node, path }, at) =>
      /^torch\.(cuda|accelerator)\.(memory\.)?empty_cache$/.test(path ?? '')
        ? { node, fix: removeStatement(at) }
        : null,
  },
  'collect-garbage': {
    call: ({ node, path }, at) => (path === 'gc.collect' ? { node, fix: removeStatement(at) } : null),
  },
  'timed-without-waiting': {
    heat: 'any',
    minus: ({ node, left, right }, at) => {
      if (left.kind !== 'time' || right.kind !== 'time' || !left.isPending) return null
      if (left.launches <= right.launches || left.iteration !== right.iteration) return null
      const isHere = node.kind === 'binary' && node.left.kind === 'call'
      return { node, fix: isHere ? synchronizeBefore(at) : [] }
    },
  },
})

/** The host has to wait for such a copy before it reads the memory. */
const COPIES_TO_HOST =
  /\.to\(\s*(torch\.device\()?['"]cpu['"][^\n]*non_blocking\s*=\s*True|\.copy_\([^\n]*non_blocking\s*=\s*True/
