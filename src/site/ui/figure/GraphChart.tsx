/**
 * A wait-for graph: ranks on a circle, an arrow from each that waits to the one that it waits for.
 */
import { useId, type CSSProperties } from 'react'
import type { GraphFigure, GraphNode, FigureHue } from '../../../trace/figure'
import { Swatch, type SwatchName } from '../timeline/Swatch'

/** As in the timeline, a pattern goes with each colour. */
const FILLS: Partial<Record<FigureHue, SwatchName>> = {
  wait: 'dots',
  queue: 'tint',
  staging: 'half',
  transfer: 'lines',
  idle: 'outline',
}

export const FillSwatch = ({ hue }: { readonly hue: FigureHue }) => (
  <Swatch hue={hue} mark={FILLS[hue] ?? 'solid'} />
)

const NODE = 30
const MOST_WIDTH = 480
/** Above and below, for arcs and their words. */
const ROOM = 2.6 * NODE

interface Point {
  readonly x: number
  readonly y: number
}

/** On a circle, from the left on: two stand beside each other. */
function placesOf(count: number, width: number) {
  const across = Math.min(width, MOST_WIDTH)
  const radius = Math.max(3 * NODE, Math.min(across / 2 - 2 * NODE, 4.5 * NODE))
  const turns = Array.from({ length: count }, (_, at) => (2 * Math.PI * at) / count + Math.PI)
  const ys = turns.map((turn) => radius * Math.sin(turn))
  const top = Math.min(...ys) - ROOM
  const places = turns.map((turn, at): Point => ({
    x: across / 2 + radius * Math.cos(turn),
    y: (ys[at] ?? 0) - top,
  }))
  return { places, height: Math.max(...ys) + ROOM - top }
}

/**
 * An arc to the left of the way, so that the arrow back has a side of its own; it ends at the
 * nodes' edges.
 */
function arcOf(from: Point, to: Point): { readonly path: string; readonly middle: Point } {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy) || 1
  const bend = Math.min(0.35 * length, 1.5 * NODE)
  const control = {
    x: (from.x + to.x) / 2 + (dy / length) * bend,
    y: (from.y + to.y) / 2 - (dx / length) * bend,
  }
  const edge = (node: Point, gap: number) => {
    const away = Math.hypot(control.x - node.x, control.y - node.y) || 1
    return {
      x: node.x + ((control.x - node.x) / away) * (NODE + gap),
      y: node.y + ((control.y - node.y) / away) * (NODE + gap),
    }
  }
  const [start, end] = [edge(from, 2), edge(to, 8)]
  const at = (value: number) => value.toFixed(1)
  return {
    path: `M${at(start.x)} ${at(start.y)}Q${at(control.x)} ${at(control.y)} ${at(end.x)} ${at(end.y)}`,
    middle: { x: (start.x + 2 * control.x + end.x) / 4, y: (start.y + 2 * control.y + end.y) / 4 },
  }
}

/** Its words, and its hue; one that has returned neither waits nor idles. */
const STATES: Readonly<Record<GraphNode['state'], readonly [words: string, hue: 'wait' | null]>> = {
  waits: ['waits', 'wait'],
  returned: ['has returned', null],
}

export const GraphLegend = ({ figure }: { readonly figure: GraphFigure }) =>
  [...new Set(figure.nodes.map(({ state }) => state))].map((state) => {
    const [words, hue] = STATES[state]
    return (
      <li key={state} className="row">
        {hue ? <FillSwatch hue={hue} /> : <Swatch hue="text-2" mark="outline" />}
        {words}
      </li>
    )
  })

interface GraphChartProps {
  readonly figure: GraphFigure
  readonly width: number
  readonly label: string
}

export const GraphChart = ({ figure, width, label }: GraphChartProps) => {
  const id = useId()
  const { places, height } = placesOf(figure.nodes.length, width)
  return (
    <svg
      className="figure-svg"
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      role="img"
      aria-label={label}
    >
      <defs>
        <marker
          id={`${id}-arrow`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path className="figure-arrow-head" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {figure.edges.map(({ from, to, label: how }) => {
        const [start, end] = [places[from], places[to]]
        if (!start || !end) return null
        const { path, middle } = arcOf(start, end)
        return (
          <g key={`${String(from)} ${String(to)} ${how}`} className="figure-edge">
            <path className="figure-arrow" d={path} markerEnd={`url(#${id}-arrow)`} />
            <text
              className="figure-label"
              x={middle.x}
              y={middle.y + (middle.y < start.y ? -8 : 18)}
              textAnchor="middle"
            >
              {how}
            </text>
          </g>
        )
      })}
      {figure.nodes.map(({ label: name, state }, index) => {
        const place = places[index]
        const [words, hue] = STATES[state]
        return place ? (
          <g key={name} className="figure-node">
            <circle
              className="figure-rank"
              style={{ '--hue': `var(--${hue ?? 'text-2'})` } as CSSProperties}
              cx={place.x}
              cy={place.y}
              r={NODE}
            >
              <title>{`${name} ${words}`}</title>
            </circle>
            <text className="figure-label" x={place.x} y={place.y + 4} textAnchor="middle">
              {name}
            </text>
          </g>
        ) : null
      })}
    </svg>
  )
}
