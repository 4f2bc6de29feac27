/**
 * How bars and idle time look: hue and pattern, so that they are distinguished without colour too.
 */
import { CAUSES } from '../trace/gap-causes'
import type { Basis, ExcerptBar, ExcerptIdle } from './excerpt'
import { ink, line, type Edge, type Ink, type Term } from './marks'

export interface Look {
  readonly fill: Ink | null
  readonly edge?: Edge
  readonly opacity?: number
  readonly term: Term
}

/** Waiting host time is drawn quieter than work, since the idle device is the figure. */
export const isWait = ({ kind }: Pick<ExcerptBar, 'kind'>): boolean => kind === 'host-wait'

function measuredLook({ kind }: Pick<ExcerptBar, 'kind'>): Look {
  switch (kind) {
    case 'host-wait':
      return { fill: ink('wait', 0.12), edge: line('wait', 2, 2), term: 'wait' }
    case 'compute':
      return { fill: ink('device'), term: 'device' }
    case 'transfer':
      return { fill: ink('transfer'), term: 'transfer' }
    case 'collective':
      return { fill: ink('collective'), opacity: 0.45, term: 'host' }
    case 'staging-filled':
    case 'staging-mapped':
      return { fill: ink('staging'), term: 'staging' }
    case 'staging-in-flight':
      return { fill: ink('staging', 0.45), term: 'staging' }
    case 'staging-mapping':
    case 'staging-free':
      return { fill: null, edge: line('staging'), term: 'staging' }
    default:
      return { fill: ink('host'), term: 'host' }
  }
}

export function lookOf(bar: Pick<ExcerptBar, 'kind' | 'isInferred'>): Look {
  const look = measuredLook(bar)
  return bar.isInferred ? { ...look, edge: line('text-2', 3, 2) } : look
}

const IDLE_SHARE = 0.25

/** Idle time in the colour of what caused it. */
export function idleLook({ cause }: Pick<ExcerptIdle, 'cause'>): Look & { readonly fill: Ink } {
  const isHosts = cause === null || CAUSES[cause].isHosts
  const hue = isHosts ? 'idle' : cause === 'upload-not-ready' ? 'staging' : 'text-2'
  return { fill: ink(hue, IDLE_SHARE), term: 'idle' }
}

export const QUEUE_LOOK: Look & { readonly fill: Ink } = { fill: ink('queue', 0.55), term: 'queue' }

/**
 * Lines over a lane whose times were not measured: level over what is modelled, slanting over what
 * is predicted.
 */
export function texture(
  basis: Basis,
  width: number,
  height: number,
): { readonly d: string; readonly edge: Edge; readonly opacity: number } | null {
  if (basis === 'measured') return null
  const lines: string[] = []
  if (basis === 'modelled')
    for (let y = 0.5; y < height; y += 4) lines.push(`M0 ${String(y)}H${width.toFixed(1)}`)
  else
    for (let x = 0; x < width; x += 8)
      lines.push(
        `M${x.toFixed(1)} ${height.toFixed(1)}l${Math.min(height, width - x).toFixed(1)} ${(-Math.min(height, width - x)).toFixed(1)}`,
      )
  return { d: lines.join(''), edge: line('surface'), opacity: 0.5 }
}
