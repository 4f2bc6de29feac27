/** Rules about values that Python reads from the GPU. */
import { everySoOften, replaceMethod, synchronizeBefore, type Edit } from '../edits'
import type { At, CallEvent } from '../flow/events'
import { isTrue, placeIn } from '../flow/torch'
import { tensor, type Value } from '../flow/values'
import { rulesOf, type Seen } from '../rule'
import type { Call } from '../syntax'

export const READS = rulesOf({
  item: { call: (event, at) => (at.accumulates ? null : itemRead(event, at)) },
  'item-per-micro-batch': { call: (event, at) => (at.accumulates ? itemRead(event, at) : null) },
  'python-number': {
    call: ({ node, path, args }, at) => {
      const [value] = args
      if (value?.kind !== 'tensor' || path === null) return null
      return /^(float|int|complex|round|math\.\w+)$/.test(path)
        ? { node, ifOnGpu: value, asked: node.args[0]?.value ?? node, fix: readInstead(node, at) }
        : null
    },
  },
  branch: {
    truth: ({ node, value }, at) =>
      value.kind === 'tensor'
        ? { node, ifOnGpu: value, fix: at.statement.kind === 'while' ? [] : everySoOften(at) }
        : null,
    call: ({ node, path, args }, at) => {
      const isComparison = (path === 'max' || path === 'min') && args.length > 1
      const isTest = /^(bool|any|all|torch\.equal|torch\.allclose)$/.test(path ?? '')
      const value = isComparison || isTest ? args.find((each) => each.kind === 'tensor') : undefined
      return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
    },
  },
  print: {
    text: ({ node, value, how }, at) =>
      how === 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
  },
  log: {
    text: ({ node, value, how }, at) =>
      how !== 'print' && value.kind === 'tensor' ? { node, ifOnGpu: value, fix: everySoOften(at) } : null,
    call: ({ node, path, method, args }, at) => {
      if (
        !/^(add_scalar|add_scalars|add_histogram|log_metric|log_metrics)$/.test(method ?? '') &&
        !/^(wandb|mlflow)\.log/.test(path ?? '')
      )
        return null
      const value = tensorAmong(args)
      const asked = node.args.find((_, index) => args[index] === value)?.value ?? node
      return value ? { node, ifOnGpu: value, asked, fix: everySoOften(at) } : null
    },
  },
  'progress-bar': {
    call: ({ node, method, args, named }, at) => {
      if (!/^set_(postfix|description)(_str)?$/.test(method ?? '')) return null
      const value = tensorAmong([...args, ...named.values()])
      return value ? { node, ifOnGpu: value, fix: everySoOften(at) } : null
    },
  },
  'to-list': {
    call: ({ node, method, receiver }) =>
      method === 'tolist' && node.callee.kind === 'attribute'
        ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object }
        : null,
  },
  'to-host': {
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
  'read-too-early': {
    call: ({ node, path, method, receiver, args }, at) => {
      const isRead = /^(item|tolist|numpy)$/.test(method ?? '')
      const value = isRead ? receiver : /^(print|float|int|bool)$/.test(path ?? '') ? args[0] : undefined
      if (value?.kind !== 'tensor' || value.copiedAfter === null || value.copiedAfter !== at.waits)
        return null
      return { node, fix: synchronizeBefore(at) }
    },
  },
})

const itemRead = ({ node, method, receiver }: CallEvent, at: At): Seen | null =>
  method === 'item' && node.callee.kind === 'attribute'
    ? { node, ifOnGpu: maybeTensor(receiver), asked: node.callee.object, fix: readInstead(node, at) }
    : null

const tensorAmong = (values: readonly Value[]): Value | undefined =>
  values
    .flatMap((each) => (each.kind === 'dict' ? [...each.entries.values()] : [each]))
    .find(({ kind }) => kind === 'tensor')

/**
 * Replaces a read in every step: a sum or a list takes the tensor as well; anything else is done
 * every 50 steps.
 */
function readInstead(node: Call, at: At): readonly Edit[] {
  const { statement } = at
  const isSum = statement.kind === 'update' && statement.value === node
  const isKept =
    statement.kind === 'expression' &&
    statement.value.kind === 'call' &&
    statement.value.callee.kind === 'attribute' &&
    statement.value.callee.name === 'append' &&
    statement.value.args[0]?.value === node &&
    isOnlyKept(at.text, at.textOf(statement.value.callee.object))
  if (isSum || isKept) {
    if (node.callee.kind === 'attribute' && node.args.length === 0)
      return replaceMethod(at, node, '.detach()')
    const given = node.args[0]?.value
    return given ? [{ from: node.from, to: node.to, text: `${at.textOf(given)}.detach()` }] : []
  }
  return statement.kind === 'expression' ? everySoOften(at) : []
}

/** A list of tensors is no list of numbers: whoever writes or averages it would fail. */
const isOnlyKept = (text: string, list: string): boolean =>
  text.split(list).every((after, index) => index === 0 || !/^\s*[,)\]]/.test(after))

/** A method that only tensors have was called: nothing else is known. */
const maybeTensor = (value: Value): Value => (value.kind === 'unknown' ? tensor('unknown') : value)
