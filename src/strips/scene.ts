/**
 * A strip as marks, in px from its top left: lanes from host to device, what they did, when devices
 * were idle, and labels where they fit. Whoever draws a part of a trace draws these marks (svg.ts,
 * canvas.ts, Marks.tsx), so idle time is worked out once, for all of them.
 */
import { CAUSES } from '../trace/gap-causes'
import { union } from '../analysis/intervals'
import { rankOfLane } from '../trace/collectives'
import {
  devicesOf,
  type Excerpt,
  type ExcerptBar,
  type ExcerptDepth,
  type ExcerptIdle,
  type ExcerptRow,
  type ExcerptStrip,
} from './excerpt'
import { idleLook, isWait, lookOf, QUEUE_LOOK, texture } from './looks'
import { faceOf, ink, line, type Hue, type Mark, type TextMark } from './marks'

export interface Band {
  readonly kind: ExcerptRow['kind'] | 'queue'
  readonly top: number
  readonly height: number
  /** Null for the queue. */
  readonly row: ExcerptRow | null
}

/**
 * The lanes that are drawn. `work`: the devices, or the hosts of an excerpt whose devices were not
 * timed.
 */
type Lanes = 'all' | 'no-staging' | 'work'

export type Heights = Readonly<Record<Band['kind'] | 'gap', number>>

/** The device has the most room, since its idle time is what the picture is about. */
const HEIGHTS: Heights = { host: 16, queue: 12, staging: 10, device: 30, gap: 3 }
/** On a phone, where number and strips are to be seen at once. */
const COMPACT: Heights = { host: 13, queue: 8, staging: 6, device: 22, gap: 2 }
/** Narrower than this, px, a strip is drawn compact. */
const NARROW = 480

export const heightsFor = (width: number): Heights => (width < NARROW ? COMPACT : HEIGHTS)

export interface SceneCut {
  /** Width of the time axis, px. */
  readonly width: number
  readonly lanes: Lanes
  /** A number: of all lanes together, each as high as the others. */
  readonly heights: Heights | number
  /** Draws how much of each column the bars fill, by height: for gaps narrower than a pixel. */
  readonly asShares?: boolean
  /** Inside idle time, the longest that fits, once; null: nothing has a label. */
  readonly labels: readonly string[] | null
}

const isOfDevices = ({ strips }: Pick<Excerpt, 'strips'>): boolean =>
  strips.some(({ rows }) => rows.some(({ kind }) => kind === 'device'))

/** No queue where no depth was recorded, or where nothing was ever queued. */
function lanesOf(strip: ExcerptStrip, excerpt: Excerpt, lanes: Lanes): readonly Pick<Band, 'kind' | 'row'>[] {
  const of = (kind: ExcerptRow['kind']) =>
    strip.rows.filter((row) => row.kind === kind).map((row) => ({ kind, row }))
  if (lanes === 'work') {
    if (!isOfDevices(excerpt)) return of('host')
    const devices = devicesOf(strip)
    // A variant that leaves its device alone has an empty lane.
    return (devices.length > 0 ? devices : [null]).map((row) => ({ kind: 'device', row }))
  }
  return [
    ...of('host'),
    ...(strip.depth.length > 0 && deepestIn(excerpt) > 0 ? [{ kind: 'queue' as const, row: null }] : []),
    ...(lanes === 'all' ? of('staging') : []),
    ...of('device'),
  ]
}

function bandsOf(parts: readonly Pick<Band, 'kind' | 'row'>[], heights: Heights | number) {
  const gap = typeof heights === 'number' ? Number(parts.length > 1) : heights.gap
  const heightOf = (kind: Band['kind']) =>
    typeof heights === 'number' ? (heights + gap) / parts.length - gap : heights[kind]
  let top = 0
  const bands = parts.map(({ kind, row }): Band => {
    const band = { kind, row, top, height: heightOf(kind) }
    top += band.height + gap
    return band
  })
  return { bands, height: Math.max(0, top - gap) }
}

/** The deepest queue of any strip, by which all are scaled. */
const deepestIn = ({ strips }: Pick<Excerpt, 'strips'>): number =>
  Math.max(0, ...strips.flatMap(({ depth }) => depth.map(({ value }) => value)))

/** Of the marks the later lie over the earlier. */
export function sceneOf(strip: ExcerptStrip, excerpt: Excerpt, cut: SceneCut) {
  const { width, labels } = cut
  const { basis } = strip
  const pxPerNs = width / excerpt.lengthNs
  const { bands, height } = bandsOf(lanesOf(strip, excerpt, cut.lanes), cut.heights)
  const deepest = deepestIn(excerpt)
  // The share is that of the whole strip.
  const hasRoom = ({ idle }: ExcerptRow) =>
    drawnIdle(idle, pxPerNs).some((each) => labels?.some((text) => fits(text, extentOf(each, pxPerNs).width)))
  const shareRow = bands.find(({ row }) => row !== null && hasRoom(row))?.row
  const marks = bands.flatMap(({ kind, top, height: own, row }): readonly Mark[] => {
    const place: Place = { top, height: own, pxPerNs, width }
    const lines = texture(basis, width, own)
    return [
      { shape: 'box', part: 'ground', x: 0, y: top, width, height: own, fill: ink('surface-2') },
      ...(kind === 'queue' ? queueMarks(strip.depth, deepest, place) : []),
      ...(row
        ? cut.asShares
          ? shareMarks(row, place)
          : [...barMarks(row, place), ...idleMarks(row, place)]
        : []),
      ...(lines
        ? [{ shape: 'path' as const, part: 'texture' as const, x: 0, y: top, fill: null, ...lines }]
        : []),
      ...(row && labels ? labelMarks(row, row === shareRow ? labels : [], place) : []),
    ]
  })
  const above =
    cut.lanes === 'work' ? [] : [...stepMarks(strip, bands, pxPerNs), ...messageMarks(strip, bands, pxPerNs)]
  return { height, bands, marks: [...marks, ...above] }
}

interface Place {
  readonly top: number
  readonly height: number
  readonly width: number
  readonly pxPerNs: number
}
interface Stretch {
  readonly startNs: number
  readonly endNs: number
}

/** Bars narrower than this are drawn this wide, so that a call of 5 µs can be seen. */
const LEAST_WIDTH = 1.2
/** A narrower stretch is no figure, and would only blur the passes. */
const LEAST_IDLE_WIDTH = 2

const extentOf = ({ startNs, endNs }: Stretch, pxPerNs: number) => ({
  x: Math.max(0, startNs) * pxPerNs,
  width: Math.max(LEAST_WIDTH, (endNs - Math.max(0, startNs)) * pxPerNs),
})

/** Idle time that is wide enough to be drawn. */
const drawnIdle = (idle: readonly ExcerptIdle[], pxPerNs: number): readonly ExcerptIdle[] =>
  idle.filter(({ startNs, endNs }) => (endNs - startNs) * pxPerNs >= LEAST_IDLE_WIDTH)

/** However small the share of several bars is, they are seen. */
const LEAST_SHARE = 0.2

const barMarks = ({ bars }: ExcerptRow, { top, height, pxPerNs }: Place): readonly Mark[] =>
  bars.map((bar) => {
    const own = height * Math.max(LEAST_SHARE, bar.share ?? 1)
    return {
      shape: 'box',
      part: 'bar',
      ...extentOf(bar, pxPerNs),
      y: top + height - own,
      height: own,
      ...lookOf(bar),
      of: { bar },
    }
  })

const idleMarks = ({ idle }: ExcerptRow, { top, height, pxPerNs }: Place): readonly Mark[] =>
  drawnIdle(idle, pxPerNs).map((each) => ({
    shape: 'box',
    part: 'idle',
    ...extentOf(each, pxPerNs),
    y: top,
    height,
    ...idleLook(each),
    of: { idle: each },
  }))

/** The queue as a stepped area over its deepest point in any strip. */
function queueMarks(depth: readonly ExcerptDepth[], deepest: number, place: Place): readonly Mark[] {
  const { top, height, width, pxPerNs } = place
  if (deepest === 0) return []
  const y = (value: number) => (height * (1 - value / deepest)).toFixed(1)
  const x = (ns: number) => (Math.max(0, ns) * pxPerNs).toFixed(1)
  const path = depth.map(({ atNs, value }) => `H${x(atNs)}V${y(value)}`).join('')
  const d = `M0 ${String(height)}${path}H${width.toFixed(1)}V${String(height)}Z`
  return [{ shape: 'path', part: 'queue', x: 0, y: top, d, ...QUEUE_LOOK }]
}

/** Px. */
const COLUMN = 2

/**
 * Over idle time, what ran: the area of each hue is its share of the time, however short its spans
 * are.
 */
function shareMarks({ bars, idle }: ExcerptRow, place: Place): readonly Mark[] {
  const { top, height, pxPerNs, width } = place
  // The later over the earlier, so that kernels hide what went on beside them.
  const kinds = (['collective', 'transfer', 'compute'] as const).filter((kind) =>
    bars.some((bar) => bar.kind === kind),
  )
  const [first] = idle
  const ends = [...bars, ...idle].map(({ endNs }) => endNs)
  const whole = extentOf({ startNs: 0, endNs: Math.max(0, ...ends) }, pxPerNs)
  return [
    ...(first ? [{ shape: 'box', part: 'idle', ...whole, y: top, height, ...idleLook(first) } as const] : []),
    ...kinds.map((kind, at): Mark => {
      const hidden = kinds.slice(at)
      const running = union(
        bars
          .filter((bar) => hidden.includes(bar.kind as (typeof kinds)[number]))
          .map(({ startNs, endNs }) => ({ start: startNs, end: endNs })),
      )
      const columns = Array.from({ length: Math.ceil(width / COLUMN) }, () => 0)
      const columnNs = COLUMN / pxPerNs
      for (const { start, end } of running)
        for (
          let column = Math.max(0, Math.floor(start / columnNs));
          column < columns.length && column * columnNs < end;
          column += 1
        )
          columns[column] =
            (columns[column] ?? 0) +
            (Math.min(end, (column + 1) * columnNs) - Math.max(start, column * columnNs)) / columnNs
      const path = columns.map(
        (share, column) =>
          `V${px(height * (1 - Math.min(1, share)))}H${px(Math.min(width, COLUMN * (column + 1)))}`,
      )
      const d = `M0 ${px(height)}${path.join('')}V${px(height)}z`
      const look = lookOf({ kind, isInferred: false })
      return { shape: 'path', part: 'bar', x: 0, y: top, d, fill: look.fill, term: look.term }
    }),
  ]
}
const px = (value: number): string => String(Number(value.toFixed(1)))

/** 12 px type is about 6.4 px a character. */
const fits = (text: string, width: number): boolean => text.length * 6.4 + 10 <= width

const LABEL = faceOf(12)
const QUIET = faceOf(11)

/** In the middle of what it is a label of. */
function labelMark(
  text: string,
  extent: { readonly x: number; readonly width: number },
  { top, height }: Pick<Place, 'top' | 'height'>,
  hue: Hue,
  face = LABEL,
): TextMark {
  const isOnMark = hue === 'on-mark' || hue === 'surface'
  return {
    shape: 'text',
    part: 'label',
    text,
    x: extent.x + extent.width / 2,
    y: top + height / 2 + 0.36 * face.size,
    face: isOnMark ? { ...face, isBold: true } : face,
    anchor: 'middle',
    fill: ink(hue),
    // Host bars are dark; a texture over them stops at the letters.
    ...(hue === 'surface' ? { edge: { hue: 'host', width: 3, dash: [] } } : {}),
  }
}

function labelMarks(row: ExcerptRow, words: readonly string[], place: Place): readonly Mark[] {
  const { pxPerNs } = place
  const named = row.kind === 'host' ? namedWaits(row.bars) : []
  return [
    ...named.flatMap((bar): readonly Mark[] => {
      const extent = extentOf(bar, pxPerNs)
      // A wait that is cut off, or has calls inside it, is no place for its name.
      return fits(bar.name, extent.width) ? [labelMark(bar.name, extent, place, 'text-2', QUIET)] : []
    }),
    ...labelled(row.idle, words, pxPerNs).map(({ label, extent }) => labelMark(label, extent, place, 'text')),
    ...row.bars.flatMap((bar): readonly Mark[] => {
      const extent = extentOf(bar, pxPerNs)
      const texts =
        bar.label !== undefined
          ? [bar.label]
          : row.kind === 'device' && bar.kind === 'compute' && bar.step >= 0
            ? [`step ${String(bar.step + 1)}`, String(bar.step + 1)]
            : []
      const text = texts.find((each) => fits(each, extent.width))
      const hue = row.kind === 'host' ? 'surface' : 'on-mark'
      return text === undefined ? [] : [labelMark(text, extent, place, hue)]
    }),
  ]
}

/**
 * Waits that have their names inside: of several at once, as of promises that were all asked for,
 * the one that began first.
 */
function namedWaits(bars: readonly ExcerptBar[]): readonly ExcerptBar[] {
  let doneNs = Number.NEGATIVE_INFINITY
  return bars
    .filter(isWait)
    .sort((one, other) => one.startNs - other.startNs)
    .filter(({ startNs, endNs }) => {
      const isAlone = startNs >= doneNs
      if (isAlone) doneNs = endNs
      return isAlone
    })
}

/**
 * The share of the whole run stands once, in the first idle stretch that has room for it; the
 * others name their cause.
 */
function labelled(idle: readonly ExcerptIdle[], words: readonly string[], pxPerNs: number) {
  const drawn = drawnIdle(idle, pxPerNs).map((each) => ({ idle: each, extent: extentOf(each, pxPerNs) }))
  const roomFor = (text: string) => drawn.find(({ extent }) => fits(text, extent.width))
  const share = words.find((text) => roomFor(text) !== undefined)
  const first = share === undefined ? undefined : roomFor(share)
  return drawn.flatMap((each) => {
    const { cause } = each.idle
    const named = cause ? [CAUSES[cause].inPicture ?? CAUSES[cause].label] : []
    const texts = each === first && share !== undefined ? [share] : [...named, 'idle']
    const label = texts.find((text) => fits(text, each.extent.width))
    return label === undefined ? [] : [{ label, extent: each.extent }]
  })
}

/** On the first lane. */
function stepMarks(
  { stepBegins = [] }: ExcerptStrip,
  [first]: readonly Band[],
  pxPerNs: number,
): readonly Mark[] {
  if (!first) return []
  const d = `M0 -2V${String(first.height + 2)}`
  return stepBegins.map((startNs) => ({
    shape: 'path',
    part: 'step',
    x: startNs * pxPerNs,
    y: first.top,
    d,
    fill: null,
    edge: line('text'),
  }))
}

/**
 * Draws messages: from the call of `send` in one rank's row to the end of `recv` in the other's.
 */
function messageMarks(
  { messages, rows }: ExcerptStrip,
  bands: readonly Band[],
  pxPerNs: number,
): readonly Mark[] {
  const middleOf = (index: number): number | null => {
    const band = bands.find(({ row }) => row !== null && row === rows[index])
    return band ? band.top + band.height / 2 : null
  }
  return messages.flatMap((message): readonly Mark[] => {
    const [y1, y2] = [middleOf(message.fromRow), middleOf(message.toRow)]
    if (y1 === null || y2 === null) return []
    const [x1, x2] = [message.sentNs * pxPerNs, message.thereNs * pxPerNs]
    const mark = { shape: 'path', part: 'message', opacity: 0.75 } as const
    return [
      {
        ...mark,
        x: x1,
        y: y1,
        d: `M0 0L${px(x2 - x1)} ${px(y2 - y1)}`,
        fill: null,
        edge: line('text'),
        of: { message },
      },
      { ...mark, x: x2, y: y2, d: 'M-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z', fill: ink('text') },
    ]
  })
}

/** Name beside a row, at 11 px: 'rank 3', or its number alone where there is little room. */
function nameOf(row: ExcerptRow | null, width: number): string | null {
  if (row === null || row.kind === 'staging') return row?.label ?? null
  const rank = rankOfLane(row.name)
  if (!Number.isNaN(rank)) return width < NARROW ? String(rank) : `rank ${String(rank)}`
  return row.label ?? null
}

/** Left of the bars, room for whose rows they are. 0 where no row has a name. */
export function gutterOf({ strips }: Pick<Excerpt, 'strips'>, width: number): number {
  const names = strips.flatMap(({ rows }) => rows.flatMap((row) => nameOf(row, width) ?? []))
  return names.length === 0 ? 0 : Math.round(6.2 * Math.max(...names.map(({ length }) => length))) + 8
}

/** In the gutter, left of 0. */
export const nameMarks = (bands: readonly Band[], gutter: number, width: number): readonly Mark[] =>
  bands.flatMap(({ top, height, row }): readonly Mark[] => {
    const text = nameOf(row, width)
    return text === null
      ? []
      : [
          {
            shape: 'text',
            part: 'row-name',
            text,
            x: -gutter,
            y: top + height / 2 + 0.36 * QUIET.size,
            face: QUIET,
            anchor: 'start',
            fill: ink('text-2'),
          },
        ]
  })
