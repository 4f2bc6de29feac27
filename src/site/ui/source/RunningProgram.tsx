/** The program of a variant as it ran: beside each line the host's time that it took, and one line lit. */
import { useMemo } from 'react'
import type { Meta } from '../../../experiments/catalog'
import { lineShares, type LineShare } from '../../state/program-lines'
import type { RunState } from '../../state/run-store'
import { CodeView, type CodeViewProps } from './CodeView'
import { useProgram } from './use-highlighted'

interface RunningProgramProps {
  readonly meta: Meta
  readonly run: RunState
  readonly variant: string
  /** Or the line that took most of the host's time. */
  readonly lit: CodeViewProps['lit'] | 'hottest'
}

export const RunningProgram = ({ meta, run, variant, lit }: RunningProgramProps) => {
  const program = meta.program(variant, run.params)
  const lines = useProgram(meta.id, program)
  const marks = useMemo(
    (): ReadonlyMap<number, LineShare> => (run.placed ? lineShares(run.placed, variant) : new Map()),
    [run, variant],
  )
  if (!lines) return null
  const [hottest] = [...marks].sort(([, one], [, other]) => other.share - one.share)
  const shown = lit === 'hottest' ? hottest && { line: hottest[0], role: hottest[1].role } : lit
  return (
    <CodeView
      title={`${program}.js, as it runs for ${variant}`}
      lines={lines}
      marks={marks}
      lit={shown && shown.line > 0 ? shown : null}
    />
  )
}
