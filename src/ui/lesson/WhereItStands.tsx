/** Folded: the chart of 'Your device' with this run's kernel on it, loaded when it is opened. */
import { lazy, Suspense, useState } from 'react'
import { addressOf } from '../../state/url'
import './where-it-stands.css'

const Chart = lazy(async () => ({ default: (await import('../device/MachinesChart')).MachinesChart }))

export const WhereItStands = ({ kernelMs }: { readonly kernelMs: number | null }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="where-it-stands no-print"
      data-testid="where-it-stands"
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open)
      }}
    >
      <summary>
        <h2>Beside PyTorch, and beside your machine</h2>
      </summary>
      {isOpen && (
        <Suspense fallback={<p role="status">The chart is being loaded.</p>}>
          <Chart kernelMs={kernelMs} />
          <p className="small">
            <a href={addressOf({ page: 'device' })}>Your device</a> measures the card of this machine.
          </p>
        </Suspense>
      )}
    </details>
  )
}
