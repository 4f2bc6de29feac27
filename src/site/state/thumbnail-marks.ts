/** What a thumbnail of a story shows, for its key. Pure; apart from thumbnail.ts, which the first page loads. */
import type { Story, StoryBar } from '../../analysis/story'
import { drawnIdle } from './story'
import { MOST_ROWS } from './thumbnail'

/** Of a thumbnail that is a file of the site, CSS px. */
export const THUMBNAIL_WIDTH = 240

/** What a thumbnail is drawn of, by the names of its hues. */
export type Mark = 'device' | 'idle' | 'host' | 'wait' | 'collective'

export const hostMark = ({ kind }: StoryBar): Mark =>
  kind === 'host-wait' ? 'wait' : kind === 'collective' ? 'collective' : 'host'

const ORDER: readonly Mark[] = ['device', 'host', 'wait', 'collective', 'idle']

/** Of what is in a thumbnail as wide as THUMBNAIL_WIDTH: of the device where it was timed, else of the hosts. */
export function marksOf({ strips, lengthNs }: Story): readonly Mark[] {
  const shown = strips.slice(-MOST_ROWS)
  const isOfDevice = strips.some(({ rows }) => rows.some(({ kind }) => kind === 'device'))
  const barsOf = (lane: 'device' | 'host') =>
    shown.flatMap(({ rows }) => rows.filter(({ kind }) => kind === lane).flatMap(({ bars }) => bars))
  const found = new Set<Mark>(
    isOfDevice
      ? [
          ...barsOf('device').map((): Mark => 'device'),
          ...shown.flatMap(({ idle }) => drawnIdle(idle, THUMBNAIL_WIDTH / lengthNs)).map((): Mark => 'idle'),
        ]
      : barsOf('host').map(hostMark),
  )
  return ORDER.filter((mark) => found.has(mark))
}
