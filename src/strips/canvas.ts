/** Painter of marks on a canvas, for pictures that a visitor saves. */
import type { Face, Ink, Mark } from './marks'

export interface CanvasOptions {
  readonly paintOf: (ink: Ink) => string
  readonly fontOf: (face: Face) => string
}

export function paintMarks(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  { paintOf, fontOf }: CanvasOptions,
): void {
  for (const mark of marks) {
    const { fill, edge, opacity = 1 } = mark
    context.save()
    context.globalAlpha = opacity
    context.translate(mark.x, mark.y)
    if (fill) context.fillStyle = paintOf(fill)
    if (edge) {
      context.strokeStyle = paintOf({ hue: edge.hue, share: 1 })
      context.lineWidth = edge.width
      context.setLineDash([...edge.dash])
    }
    if (mark.shape === 'text') {
      context.font = fontOf(mark.face)
      context.textAlign = mark.anchor === 'middle' ? 'center' : 'start'
      if (edge) context.strokeText(mark.text, 0, 0)
      if (fill) context.fillText(mark.text, 0, 0)
    } else {
      const path = mark.shape === 'path' ? new Path2D(mark.d) : new Path2D()
      if (mark.shape === 'box') path.rect(0, 0, mark.width, mark.height)
      if (fill) context.fill(path)
      if (edge) context.stroke(path)
    }
    context.restore()
  }
}
