/**
 * One line that tells how far a run is: rewritten in place on a terminal, a line per new message
 * elsewhere.
 */

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write: (text: string) => unknown
}

export type ProgressLine = ReturnType<typeof progressLine>

const BAR_CELLS = 24
const CLEAR_LINE = '\r\u001b[2K'

export function progressLine(stream: Stream = process.stderr) {
  let last = ''
  return {
    show: (fraction: number, message: string) => {
      const done = Math.min(1, Math.max(0, fraction))
      const percent = `${String(Math.round(done * 100)).padStart(3)} %`
      if (stream.isTTY === true) {
        const filled = Math.round(done * BAR_CELLS)
        const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled)
        stream.write(CLEAR_LINE + `${percent} ${bar} ${message}`.slice(0, (stream.columns ?? 80) - 1))
      } else if (message !== last) {
        stream.write(`${percent} ${message}\n`)
      }
      last = message
    },
    end: () => {
      if (stream.isTTY === true && last !== '') stream.write(CLEAR_LINE)
      last = ''
    },
  }
}
