/** The scripts that wrote the recorded profiles, as they are served; apart from other sources, since the first page needs none of them. */
import type { HighlightedLines } from './lines'

const files = import.meta.glob<HighlightedLines>('../../../public/companion/*.py', {
  query: '?highlight',
  import: 'lines',
})

export const scriptFile = (name: string): (() => Promise<HighlightedLines>) | undefined =>
  files[`../../../public/companion/${name}`]
