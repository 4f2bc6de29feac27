/** 'Where your machine stands', folded: the chart of 'Your device' with this run's kernel on it, loaded when it is opened. */
import { lazy, Suspense, useState } from 'react'
import { addressOf } from '../../state/url'

const Chart = lazy(async () => ({ default: (await import('../device/MachinesChart')).MachinesChart }))

export const WhereItStands = ({ kernelMs }: { readonly kernelMs: number | null }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="no-print"
      data-testid="where-it-stands"
      onToggle={({ currentTarget }) => {
        setIsOpen(currentTarget.open)
      }}
    >
      <summary>Where your machine stands</summary>
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
