/** Reads a Python file, follows it, and shows each rule what happens. */
import { upperBound } from '../base/search'
import { diffOf, type Edit } from './edits'
import type { At, EventName, Events } from './flow/events'
import { placeInLoop, type Act } from './flow/flow'
import { isHot } from './flow/heat'
import { followProgram } from './flow/run'
import { whereOf } from './flow/values'
import { parsePython } from './parse'
import { RULES } from './rules'
import type { Kind, Listeners, Rule, Seen } from './rule'

export interface Finding {
  readonly rule: string
  readonly kind: Kind
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly title: string
  readonly text: string
  readonly unless: string
  /**
   * The host's next work after the line, which decides what it costs; null where that is not the
   * point.
   */
  readonly next: string | null
  /** Names of the functions that lead here from the loop. */
  readonly via: readonly string[]
  readonly fix: Fix
  readonly cause: string
  readonly sources: readonly string[]
}

interface Fix {
  readonly instead: string
  /** Null where it takes more than an edit of these lines. */
  readonly diff: string | null
  readonly edits: readonly Edit[]
}

type Question = ReturnType<typeof questionOf>

export interface Checked {
  readonly findings: readonly Finding[]
  readonly questions: readonly Question[]
  /** Lines that can't be read as Python. */
  readonly unread: readonly number[]
  /** Null: the file has no loop that trains or infers. */
  readonly loop: 'train' | 'infer' | null
}

interface Candidate {
  readonly rule: Rule
  readonly seen: Seen
  readonly at: At
}

const applies = (rule: Rule, at: At): boolean =>
  rule.heat === 'any' || (rule.heat === 'evaluate' ? at.heat === 'evaluate' : isHot(at.heat))

export function checkPython(text: string): Checked {
  const module = parsePython(text)
  const lines = linesOf(text)
  const candidates = new Map<string, Candidate>()
  let loop: Checked['loop'] = null
  const acts = followProgram(module, (name, event, at) => {
    if (at.heat === 'train' || (at.heat === 'infer' && loop === null)) loop = at.heat
    for (const rule of RULES) {
      if (!applies(rule, at)) continue
      const seen = ask(rule, name, event, at)
      if (!seen) continue
      const key = `${rule.id}:${String(seen.node.from)}`
      const before = candidates.get(key)
      // One call may settle what another leaves open.
      if (!before || (isQuestion(before.seen) && !isQuestion(seen))) candidates.set(key, { rule, seen, at })
    }
  })
  const all = [...candidates.values()].sort((a, b) => a.seen.node.from - b.seen.node.from)
  const questions = all.filter(({ seen }) => isQuestion(seen)).map((each) => questionOf(each, lines))
  return {
    findings: all.filter(({ seen }) => !isQuestion(seen)).map((each) => findingOf(each, acts, lines)),
    questions: questions.filter(
      ({ text: asked }, index) => questions.findIndex((each) => each.text === asked) === index,
    ),
    unread: [...new Set(module.errors.map((at) => lines(at).line))],
    loop,
  }
}

function ask<Name extends EventName>(rule: Rule, name: Name, event: Events[Name], at: At): Seen | null {
  const listeners: Listeners = rule
  const seen = listeners[name]?.(event, at) ?? null
  if (!seen?.ifOnGpu) return seen
  const where = whereOf(seen.ifOnGpu)
  return where === 'gpu' || where === 'unknown' ? seen : null
}

const isQuestion = ({ ifOnGpu, asks }: Seen): boolean =>
  asks !== undefined || (ifOnGpu !== undefined && whereOf(ifOnGpu) === 'unknown')

function questionOf({ rule, seen, at }: Candidate, lines: Lines) {
  const { line, column } = lines(seen.node.from)
  const what = at.textOf(seen.asked ?? seen.node).replace(/\s+/g, ' ')
  return {
    rule: rule.id,
    line,
    column,
    text: `${seen.asks ?? `Is \`${what}\` on the GPU?`} Then: ${lowerFirst(rule.title)}.`,
  }
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

function findingOf({ rule, seen, at }: Candidate, acts: readonly Act[], lines: Lines): Finding {
  const start = lines(seen.node.from)
  const end = lines(seen.node.to)
  const edits = seen.fix ?? []
  return {
    rule: rule.id,
    kind: rule.kind,
    ...start,
    endLine: end.line,
    endColumn: end.column,
    title: rule.title,
    text: rule.why,
    unless: rule.unless,
    next: rule.kind === 'blocks' ? nextOf(at, seen, acts) : null,
    via: at.via.map(({ def }) => def.name),
    fix: { instead: rule.instead, edits, diff: edits.length > 0 ? diffOf(at.text, edits) : null },
    cause: rule.cause,
    sources: rule.sources,
  }
}

/**
 * After a wait the GPU has nothing to do: how long depends on what the host does before it launches
 * again.
 */
function nextOf(at: At, { node }: Seen, acts: readonly Act[]): string | null {
  const loop = at.loops.at(-1)
  if (!loop) return null
  const place = placeInLoop(loop, at.via, node.from)
  const launch = acts.find((each) => each.loop === loop && each.what === 'launch' && each.from > place)
  if (launch) return `Next, the host launches \`${firstLine(at.text.slice(launch.from))}\`.`
  const takesBatches = acts.some((each) => each.loop === loop && each.what === 'batch')
  return takesBatches && loop.kind === 'for'
    ? `Next, the host takes a batch from \`${firstLine(at.textOf(loop.iterable))}\`. The GPU idles until the next launch.`
    : null
}

function firstLine(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').replace(/\s*#.*$/, '').trim()
  return line.length > 60 ? `${line.slice(0, 57)}…` : line
}

type Lines = ReturnType<typeof linesOf>

/** Where an offset lies in the text: its line counts from 1, its column from 0. */
function linesOf(text: string) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (place: number) => {
    const line = upperBound(starts, place)
    return { line, column: place - (starts[line - 1] ?? 0) }
  }
}
