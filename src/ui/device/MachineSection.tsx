/** The card of this machine, measured on request, and where the machine stands beside others. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { toFault } from '../../base/fault'
import type { MeasuredCard } from '../../state/card-store'
import { inBackground } from '../../state/in-background'
import { isPointFigure } from '../../trace/figure'
import { FaultNotice } from '../FaultNotice'
import { Figures } from '../figure/Figures'
import { useReferences } from '../figure/use-references'
import { formatDate } from '../format'
import { useLab } from '../lab-context'
import { saveFile } from '../save-file'
import { useStore } from '../use-store'
import { machinesFigure } from './machines-figure'
import { machineReferences, useMachines } from './use-machines'

export const MachineSection = () => {
  const { card: cards, files } = useLab()
  const { own, measuring, said, fault, kept } = useStore(cards.store)
  const section = useRef<HTMLElement>(null)
  // Whoever leaves the page wants to run something else.
  useEffect(() => cards.cancel, [cards])
  const shown = useMachines(own, measuring, files)
  const figures = useReferences(
    useMemo(() => [machinesFigure(shown)], [shown]),
    machineReferences,
  )
  const [saved, setSaved] = useState('')
  const picture = async (): Promise<string> => {
    const figure = figures.find(isPointFigure)
    if (!figure || !section.current) return ''
    const { figurePng } = await import('../figure/figure-png')
    const { origin, pathname } = window.location
    const whose = own ? `${own.card.environment.adapterName}, ${formatDate(own.measuredAt)} · ` : ''
    const png = await figurePng(figure, section.current, `${whose}Host/Device Lab, ${origin}${pathname}`)
    saveFile('my-machine.png', [png], 'image/png')
    return 'Saved my-machine.png'
  }
  return (
    <section
      ref={section}
      className="machine modelled"
      aria-labelledby="machine-title"
      data-testid="my-machine"
    >
      <h2 id="machine-title">My machine</h2>
      <p>
        A card holds what a machine costs: calls, messages, looks for ended work, copies. With it the model
        says what a program will take here, in every lesson. Two short runs measure it, for 8 seconds at most
        once the device’s rates are known.
      </p>
      {own && <CardFacts own={own} kept={kept} />}
      {fault && <FaultNotice fault={fault} />}
      <div className="button-row no-print">
        {measuring ? (
          <button type="button" className="button" onClick={cards.cancel}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="button"
            onClick={() => {
              inBackground(cards.measure())
            }}
          >
            {own ? 'Measure the card again' : 'Measure my machine’s card'}
          </button>
        )}
        {own && !measuring && (
          <>
            <button
              type="button"
              className="button"
              title="For npm run lab -- model EXPERIMENT --card FILE"
              onClick={() => {
                saveFile('card.json', [JSON.stringify(own.card, null, 2)], 'application/json')
              }}
            >
              Save the card
            </button>
            <button type="button" className="button button-plain" onClick={cards.forget}>
              Forget it
            </button>
          </>
        )}
        <span role="status" className="small quiet">
          {said}
        </span>
      </div>
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
    </section>
  )
}

const CardFacts = ({ own, kept }: { readonly own: MeasuredCard; readonly kept: boolean }) => (
  <>
    <p>
      Your card: {own.card.environment.adapterName}, measured on {formatDate(own.measuredAt)}
      {kept ? ' and kept in this browser.' : '. This browser keeps nothing: it goes with this tab.'}
    </p>
    <p className="small quiet">Not measured: {own.missing.join('; ')}.</p>
  </>
)
