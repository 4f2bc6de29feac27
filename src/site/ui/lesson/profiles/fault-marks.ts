/** The scripts mark their faults for whoever reads the files, `# fault: read`; whoever looks for them is shown none. */
import type { HighlightedLines } from '../../source/lines'

const MARK = / *# fault: [\w-]+$/

export const withoutFaultMarks = (lines: HighlightedLines): HighlightedLines =>
  lines.map((line) =>
    line.some((token) => MARK.test(typeof token === 'string' ? token : token[0]))
      ? line.flatMap((token) => {
          const text = typeof token === 'string' ? token : token[0]
          const kept = text.replace(MARK, '')
          return kept === '' ? [] : [typeof token === 'string' ? kept : ([kept, token[1]] as const)]
        })
      : line,
  )
