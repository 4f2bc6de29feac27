/** What to do with a number that is read in every step. */
import { everySoOften, replaceMethod, type Edit } from '../edits'
import type { At } from '../flow/events'
import { tensor, type Value } from '../flow/values'
import type { Call } from '../syntax'

/** A sum or a list takes the tensor as well; anything else is done every 50 steps. */
export function readInstead(node: Call, at: At): readonly Edit[] {
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
export const maybeTensor = (value: Value): Value => (value.kind === 'unknown' ? tensor('unknown') : value)
