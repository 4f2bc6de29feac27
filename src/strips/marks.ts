/**
 * The parts of every picture of a trace: boxes, paths and texts in px, each with a hue of the
 * theme, a share of it and an edge.
 */
import type { ExcerptBar, ExcerptIdle, ExcerptMessage } from './excerpt'

/** Names of colours in theme.css. */
export type Hue =
  | 'host'
  | 'wait'
  | 'queue'
  | 'staging'
  | 'transfer'
  | 'device'
  | 'collective'
  | 'idle'
  | 'surface'
  | 'surface-2'
  | 'text'
  | 'text-2'
  | 'on-mark'

/** A share of a hue; the rest is the page's surface. */
export interface Ink {
  readonly hue: Hue
  readonly share: number
}

export interface Edge {
  readonly hue: Hue
  readonly width: number
  /** Empty: a whole line. */
  readonly dash: readonly number[]
}

export interface Face {
  readonly size: number
  readonly isBold: boolean
  readonly isMono: boolean
}

/** The word of a text that lights a mark. */
export type Term = 'host' | 'wait' | 'queue' | 'staging' | 'transfer' | 'device' | 'idle'

/** The source of a mark. */
export type MarkOf =
  | { readonly bar: ExcerptBar }
  | { readonly idle: ExcerptIdle }
  | { readonly message: ExcerptMessage }

interface Painted {
  readonly part: 'ground' | 'bar' | 'idle' | 'queue' | 'texture' | 'message' | 'step' | 'label' | 'row-name'
  /** Null: an edge alone. */
  readonly fill: Ink | null
  readonly edge?: Edge
  /** Below 1 what lies beneath shows through. */
  readonly opacity?: number
  readonly term?: Term
  readonly of?: MarkOf
}
interface BoxMark extends Painted {
  readonly shape: 'box'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
/** `d` as SVG has it, from `x`, `y`. */
interface PathMark extends Painted {
  readonly shape: 'path'
  readonly x: number
  readonly y: number
  readonly d: string
}
/** Its baseline is at `y`. An edge lies behind its letters. */
export interface TextMark extends Painted {
  readonly shape: 'text'
  readonly text: string
  readonly x: number
  readonly y: number
  readonly face: Face
  readonly anchor: 'start' | 'middle'
}
export type Mark = BoxMark | PathMark | TextMark

export const faceOf = (size: number, ...styles: readonly ('bold' | 'mono')[]): Face => ({
  size,
  isBold: styles.includes('bold'),
  isMono: styles.includes('mono'),
})

export const ink = (hue: Hue, share = 1): Ink => ({ hue, share })
export const line = (hue: Hue, ...dash: readonly number[]): Edge => ({ hue, width: 1, dash })

/** The same marks elsewhere. */
export const movedBy = (marks: readonly Mark[], x: number, y: number): readonly Mark[] =>
  marks.map((mark) => ({ ...mark, x: mark.x + x, y: mark.y + y }))

/**
 * Boxes that look alike as one path each, then the rest: a picture of thousands of bars is a few
 * elements. A joined mark stands for no single bar.
 */
export function joined(marks: readonly Mark[]): readonly Mark[] {
  const paths = new Map<string, PathMark>()
  for (const mark of marks) {
    if (mark.shape !== 'box') continue
    const { x, y, width, height } = mark
    const d = `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`
    const key = JSON.stringify([mark.part, mark.fill, mark.edge, mark.opacity])
    paths.set(key, { ...mark, shape: 'path', x: 0, y: 0, d: (paths.get(key)?.d ?? '') + d })
  }
  return [...paths.values(), ...marks.filter(({ shape }) => shape !== 'box')]
}

const BARS = ['host', 'wait', 'staging', 'transfer', 'collective', 'device'] as const
/** By what caused it: the host, or nobody asked; an upload; the device itself. */
const IDLE = { idle: 'idle', staging: 'idle-upload', 'text-2': 'idle-other' } as const
const NAMES = [...BARS, ...Object.values(IDLE)] as const
export type KeyName = (typeof NAMES)[number]

function nameOf({ part, fill }: Mark): KeyName | undefined {
  if (!fill) return undefined
  if (part === 'bar') return BARS.find((name) => name === fill.hue)
  return part === 'idle' && fill.hue in IDLE ? IDLE[fill.hue as keyof typeof IDLE] : undefined
}

export interface KeyEntry extends Pick<Mark, 'fill' | 'edge'> {
  readonly name: KeyName
}

/**
 * The key of a picture: each look that is drawn, by its name, and nothing else. In the order from
 * host to device; of each the first mark that has it.
 */
export function keyOf(marks: readonly Mark[]): readonly KeyEntry[] {
  const found = new Map<KeyName, KeyEntry>()
  for (const mark of marks) {
    const name = nameOf(mark)
    const { fill, edge } = mark
    if (name && !found.has(name)) found.set(name, { name, fill, ...(edge ? { edge } : {}) })
  }
  return NAMES.flatMap((name) => found.get(name) ?? [])
}
