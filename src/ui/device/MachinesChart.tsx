/** Where the visitor's machine stands beside others: one chart, its table, and a picture of it to share. */
import { useMemo, useRef, useState } from 'react'
import { toFault } from '../../base/fault'
import { isUnderWay } from '../../state/run-store'
import { isPointFigure } from '../../trace/figure'
import { Figures } from '../figure/Figures'
import { useReferences } from '../figure/use-references'
import { formatDate } from '../format'
import { useLab } from '../lab-context'
import { saveFile } from '../save-file'
import { useStore } from '../use-store'
import { machinesFigure } from './machines-figure'
import { machineReferences, useMachines } from './use-machines'
import '../modelled.css'

/** @param kernelMs of a run on the page, to be marked instead of the lessons' */
export const MachinesChart = ({ kernelMs = null }: { readonly kernelMs?: number | null }) => {
  const { card: cards, files, run } = useLab()
  const { own, measuring } = useStore(cards.store)
  const isRunning = useStore(run.store, ({ phase }) => isUnderWay(phase))
  const chart = useRef<HTMLDivElement>(null)
  const shown = useMachines(own, measuring || isRunning, files)
  const figures = useReferences(
    useMemo(() => [machinesFigure({ ...shown, kernelMs })], [shown, kernelMs]),
    machineReferences,
  )
  const [saved, setSaved] = useState('')
  const picture = async (): Promise<string> => {
    const figure = figures.find(isPointFigure)
    if (!figure || !chart.current) return ''
    const { figurePng } = await import('../figure/figure-png')
    const { origin, pathname } = window.location
    const whose = own ? `${own.card.environment.adapterName}, ${formatDate(own.measuredAt)} · ` : ''
    const png = await figurePng(figure, chart.current, `${whose}Host/Device Lab, ${origin}${pathname}`)
    saveFile('my-machine.png', [png], 'image/png')
    return 'Saved my-machine.png'
  }
  return (
    <div ref={chart} className="machines modelled stack-12">
      <Figures figures={figures} label="Where your machine stands" />
      <div className="button-row no-print">
        <button
          type="button"
          className="button button-small"
          onClick={() => {
            setSaved('')
            picture().then(setSaved, (thrown: unknown) => {
              setSaved(`No picture: ${toFault(thrown).message}`)
            })
          }}
        >
          Save the picture
        </button>
        <span role="status" className="small quiet">
          {saved}
        </span>
      </div>
    </div>
  )
}
