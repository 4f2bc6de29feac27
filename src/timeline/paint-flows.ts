/**
 * Arrows from cause to effect. A lane that is scrolled out of sight is pointed at from the edge:
 * the arrow ends there, with a mark that says which way it goes on.
 */
import { FLOW_KINDS } from '../trace/schema'
import { fixedTopPx, screenYPx, type Frame } from './frame'
import { spanBox, type Box } from './geometry'
import { toCss } from './colour'

const EDGE_PX = 7

interface Place {
  readonly box: Box
  /** 0: in sight; -1: above the rows that are seen, 1: below. */
  readonly out: -1 | 0 | 1
}

export function paintFlows(frame: Frame, flows: readonly number[]): void {
  for (const flow of flows) paintFlow(frame, flow)
}

function place(frame: Frame, span: number): Place | null {
  const { data, layout, scale, scrollPx, heightPx } = frame
  const box = spanBox(data, layout, scale, span)
  if (!box) return null
  const topPx = screenYPx(layout, scrollPx, box.topPx)
  const fixed = fixedTopPx(layout)
  const isFixed = box.topPx < fixed
  const out = isFixed ? 0 : topPx + box.heightPx <= fixed ? -1 : topPx >= heightPx ? 1 : 0
  const edgePx = out === -1 ? fixed + EDGE_PX : heightPx - EDGE_PX
  return { box: { ...box, topPx: out === 0 ? topPx : edgePx, heightPx: out === 0 ? box.heightPx : 0 }, out }
}

function paintFlow(frame: Frame, flow: number): void {
  const { data, context, scale, theme } = frame
  const { flows } = data.placed.trace
  const [source, target] = [place(frame, flows.from[flow] ?? 0), place(frame, flows.to[flow] ?? 0)]
  if (!source || !target) return
  const [from, to] = [source.box, target.box]
  // A wait ended because of the pass, so that arrow points at its end; the others point at a
  // beginning. A collective goes on everywhere when the last rank begins it: that arrow leaves its
  // start, for the same moment on the other rank.
  const kind = FLOW_KINDS[flows.kind[flow] ?? -1]
  const isCollective = kind === 'collective'
  const x0 = isCollective ? from.leftPx : from.rightPx
  const x1 = isCollective
    ? Math.min(Math.max(x0, to.leftPx), to.rightPx)
    : kind === 'sync'
      ? to.rightPx
      : to.leftPx
  if (Math.max(x0, x1) < scale.leftPx || Math.min(x0, x1) > scale.rightPx) return
  // Both out of sight on one side: nothing of it is between.
  if (source.out !== 0 && source.out === target.out) return
  const down = to.topPx > from.topPx
  const y0 = down ? from.topPx + from.heightPx : from.topPx
  const y1 = down ? to.topPx - 1 : to.topPx + to.heightPx + 1
  const bend = Math.max(16, Math.abs(y1 - y0) * 0.55) * (down ? 1 : -1)
  context.lineCap = 'round'
  const curve = (): void => {
    context.beginPath()
    context.moveTo(x0, y0)
    context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1 - (down ? 5 : -5))
    context.stroke()
  }
  context.strokeStyle = toCss(theme.surface, 0.9)
  context.lineWidth = 4
  curve()
  context.strokeStyle = toCss(theme.text)
  context.lineWidth = 1.5
  curve()
  context.lineCap = 'butt'
  context.fillStyle = toCss(theme.text)
  if (source.out === 0) {
    context.beginPath()
    context.arc(x0, y0, 2.25, 0, 2 * Math.PI)
    context.fill()
  } else paintGoesOn(frame, x0, y0, source.out)
  if (target.out === 0) {
    context.beginPath()
    const tip = down ? 1 : -1
    context.moveTo(x1, y1)
    context.lineTo(x1 - 3.5, y1 - 7 * tip)
    context.lineTo(x1 + 3.5, y1 - 7 * tip)
    context.fill()
  } else paintGoesOn(frame, x1, y1, target.out)
}

/** Two chevrons: it goes on beyond the edge. */
function paintGoesOn({ context, theme }: Frame, px: number, y: number, direction: -1 | 0 | 1): void {
  context.strokeStyle = toCss(theme.text)
  context.lineWidth = 1.5
  context.beginPath()
  for (const step of [-1, 3]) {
    const tip = y + direction * (step + 2.5)
    context.moveTo(px - 4, tip - direction * 3)
    context.lineTo(px, tip)
    context.lineTo(px + 4, tip - direction * 3)
  }
  context.stroke()
}
