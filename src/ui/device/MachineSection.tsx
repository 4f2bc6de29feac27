/** The card of this machine, measured on request, and where the machine stands beside others. Loaded with the page 'device'. */
import { useEffect } from 'react'
import type { MeasuredCard } from '../../state/card-store'
import { inBackground } from '../../state/in-background'
import { FaultNotice } from '../FaultNotice'
import { formatDate } from '../format'
import { useLab } from '../lab-context'
import { saveFile } from '../save-file'
import { useStore } from '../use-store'
import { MachinesChart } from './MachinesChart'

export const MachineSection = () => {
  const { card: cards } = useLab()
  const { own, measuring, said, fault, kept } = useStore(cards.store)
  // Whoever leaves the page wants to run something else.
  useEffect(() => cards.cancel, [cards])
  return (
    <section className="machine stack modelled" aria-labelledby="machine-title" data-testid="my-machine">
      <div className="stack-12">
        <h2 id="machine-title">My machine</h2>
        <p>
          The lab can model this machine. For that it needs a few costs, its card: of a call, of a message to
          the browser’s GPU process, of a copy, and how often the browser looks whether work has ended. Two
          short runs measure them, for 8 seconds at most once the device’s rates are known. A lesson then lays
          the model of your machine beside your run, and you play on it before you run.
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
      </div>
      <MachinesChart />
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
