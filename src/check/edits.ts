/** A fix as edits of the text, and as the lines of a diff. */
import type { Call, Expr, Stmt } from './syntax'
import type { At } from './flow/events'

export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

export const replace = (
  { from, to }: { readonly from: number; readonly to: number },
  text: string,
): Edit => ({ from, to, text })

/** `f(a)` becomes `f(a, name=value)`; where the name is given, its value is replaced. */
export function setArgument(at: At, call: Call, name: string, value: string): Edit {
  const given = call.args.find((each) => each.name === name)
  if (given) return replace(given.value, value)
  const last = call.args.at(-1)
  const end = call.to - 1
  if (!last) return { from: end, to: end, text: `${name}=${value}` }
  // One argument a line, with a comma after the last.
  const tail = at.text.slice(last.value.to, end)
  const { to } = last.value
  if (!tail.includes('\n')) return { from: to, to, text: `, ${name}=${value}` }
  const indent = indentAt(at.text, last.value.from)
  return { from: to, to, text: `,\n${indent}${name}=${value}` }
}

export function dropArgument(at: At, call: Call, name: string): readonly Edit[] {
  const index = call.args.findIndex((each) => each.name === name)
  const given = call.args[index]
  if (!given) return []
  const before = call.args[index - 1]
  if (before) return [{ from: before.value.to, to: given.value.to, text: '' }]
  const from = at.text.lastIndexOf(name, given.value.from)
  const next = call.args[index + 1]
  const to = next ? next.value.from - (next.name === null ? 0 : next.name.length + 1) : given.value.to
  return [{ from, to, text: '' }]
}

/** The name of a method that is called, with its arguments. */
export const replaceMethod = (at: At, call: Call, text: string): readonly Edit[] => {
  if (call.callee.kind !== 'attribute') return []
  const dot = at.text.indexOf('.', call.callee.object.to)
  return [{ from: dot, to: call.to, text }]
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? ''

/** Whole lines of a statement; null where something else shares them. */
function linesOf(text: string, { from, to }: Stmt): { readonly from: number; readonly to: number } | null {
  const start = lineStart(text, from)
  const next = text.indexOf('\n', to)
  const end = next < 0 ? text.length : next
  const isAlone = text.slice(start, from).trim() === '' && /^\s*(#.*)?$/.test(text.slice(to, end))
  return isAlone ? { from: start, to: Math.min(text.length, end + 1) } : null
}

/** A block must keep a statement: the line above opens it, and the line below lies outside. */
function isWholeBlock(text: string, lines: { readonly from: number; readonly to: number }): boolean {
  const indent = indentAt(text, lines.from).length
  const above = text
    .slice(0, lines.from)
    .replaceAll(/^[ \t]*(#.*)?\n/gm, '')
    .trimEnd()
  const below = /^[ \t]*(?=[^\s#])/m.exec(text.slice(lines.to))
  return /:\s*(#.*)?$/.test(above.slice(above.lastIndexOf('\n') + 1)) && (below?.[0].length ?? 0) < indent
}

export function removeStatement(at: At): readonly Edit[] {
  const lines = linesOf(at.text, at.statement)
  return lines && !isWholeBlock(at.text, lines) ? [{ ...lines, text: '' }] : []
}

/** Nothing where another statement shares the line. */
export function synchronizeBefore({ text, statement }: At): readonly Edit[] {
  const start = lineStart(text, statement.from)
  const indent = text.slice(start, statement.from)
  return indent.trim() === '' ? [{ from: start, to: start, text: `${indent}torch.cuda.synchronize()\n` }] : []
}

/**
 * Calls that only report: what they leave out in 49 of 50 steps changes nothing in the training.
 */
const REPORTS =
  /(^|\.)(print|write|debug|info|warning|log|log_\w+|add_\w+|set_postfix\w*|set_description\w*)$/

/** A report under `if step % 50 == 0:`, with a counter of the innermost loop. */
export function everySoOften(at: At, steps = 50): readonly Edit[] {
  const loop = at.loops.at(-1)
  const { statement, text } = at
  if (loop?.kind !== 'for' || statement.from < loop.headTo || statement.to > loop.to) return []
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return []
  if (!REPORTS.test(at.textOf(statement.value.callee))) return []
  const lines = linesOf(text, statement)
  if (!lines) return []
  const counter = counterOf(loop.target, loop.iterable)
  const indent = indentAt(text, statement.from)
  const body = indented(text.slice(lines.from, lines.to))
  const guard = `${indent}if ${counter ?? 'step'} % ${String(steps)} == 0:\n${body}`
  const head =
    counter === null
      ? [
          { from: loop.target.from, to: loop.target.to, text: `step, ${grouped(text, loop.target)}` },
          { from: loop.iterable.from, to: loop.iterable.to, text: `enumerate(${at.textOf(loop.iterable)})` },
        ]
      : []
  return [...head, { ...lines, text: guard }]
}

function counterOf(target: Expr, iterable: Expr): string | null {
  const [first] = target.kind === 'tuple' ? target.items : []
  const called = iterable.kind === 'call' && iterable.callee.kind === 'name' ? iterable.callee.name : ''
  if (called === 'enumerate' && first?.kind === 'name') return first.name
  // tqdm(enumerate(loader)) counts too.
  if (iterable.kind === 'call' && iterable.args[0] && called !== 'enumerate' && called !== 'range')
    return counterOf(target, iterable.args[0].value)
  return called === 'range' && target.kind === 'name' ? target.name : null
}

function grouped(text: string, target: Expr): string {
  const source = text.slice(target.from, target.to)
  return target.kind === 'tuple' && !/^[([]/.test(source) ? `(${source})` : source
}

export function apply(text: string, edits: readonly Edit[]): string {
  let result = text
  for (const { from, to, text: inserted } of edits.toSorted((a, b) => b.from - a.from))
    result = result.slice(0, from) + inserted + result.slice(to)
  return result
}

/**
 * The lines that change, old ones with `-`, new ones with `+`; two places are apart by a line with
 * `@@`.
 */
export function diffOf(text: string, edits: readonly Edit[]): string {
  const groups: Edit[][] = []
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    const last = groups.at(-1)?.at(-1)
    if (last && lineStart(text, edit.from) <= lineEnd(text, last.to)) groups.at(-1)?.push(edit)
    else groups.push([edit])
  }
  return groups
    .map((group) => {
      const from = lineStart(text, group[0]?.from ?? 0)
      const last = group.at(-1)?.to ?? 0
      const end = last > from && text[last - 1] === '\n' ? last - 1 : lineEnd(text, last)
      const old = text.slice(from, end)
      const moved = group.map((edit) => ({
        ...edit,
        from: edit.from - from,
        to: Math.min(edit.to, end) - from,
      }))
      const now = apply(old, moved).replace(/\n$/, '')
      const number = text.slice(0, from).split('\n').length
      return [
        `@@ line ${String(number)} @@`,
        ...old.split('\n').map((line) => `-${line}`),
        ...(now === '' && moved.every((edit) => edit.text === '')
          ? []
          : now.split('\n').map((line) => `+${line}`)),
      ].join('\n')
    })
    .join('\n')
}

function lineEnd(text: string, at: number): number {
  const next = text.indexOf('\n', at)
  return next < 0 ? text.length : next
}

/** A whole statement below a line of its own, such as `with torch.inference_mode():`. */
export function placeUnder(at: At, stmt: Stmt, line: string): readonly Edit[] {
  const lines = linesOf(at.text, stmt)
  if (!lines) return []
  const indent = indentAt(at.text, stmt.from)
  return [{ ...lines, text: `${indent}${line}\n${indented(at.text.slice(lines.from, lines.to))}` }]
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((each) => (each === '' ? each : `    ${each}`))
    .join('\n')
