/** The scripts that wrote profiles whose line is to be found, as they are served: a test has them all. The first page needs none of them. */
import type { HighlightedLines } from './lines'

const files = import.meta.glob<HighlightedLines>(
  ['../../../../public/companion/read_a_profile.py', '../../../../public/companion/ranks.py'],
  {
    query: '?highlight',
    import: 'lines',
  },
)

export const scriptFile = (name: string): (() => Promise<HighlightedLines>) | undefined =>
  files[`../../../../public/companion/${name}`]
