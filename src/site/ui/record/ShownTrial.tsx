/** What was recorded of the trial, as the page 'trace' shows any file. */
import { useEffect, useRef } from 'react'
import { TRACE_OWNER } from '../../opened-trace/store'
import { FaultNotice } from '../FaultNotice'
import { ImportBar } from '../import/FileButton'
import { useLab } from '../lab-context'
import { ShownTrace } from '../../opened-trace/ShownTrace'
import { useStore } from 'zustand'
import '../run/run.css'
import '../../opened-trace/trace.css'

export const ShownTrial = () => {
  const { opened, run: runs } = useLab()
  const { importing, fault, shown } = useStore(opened.store)
  const run = useStore(runs.store)
  const file = run.owner === TRACE_OWNER && shown?.trace.spans === run.placed?.trace.spans ? shown : null
  // It stands in the verdict too; here it is read out once it is known.
  const [finding] = file?.found?.pageFindings ?? []
  const result = useRef<HTMLDivElement>(null)
  const isShown = file !== null && importing === null
  // It stands below the program, out of view.
  useEffect(() => {
    if (isShown) result.current?.scrollIntoView({ block: 'start' })
  }, [isShown])
  return (
    <div ref={result} className="trace-page top stack-24">
      {importing && <ImportBar file={importing} onCancel={opened.cancel} />}
      {fault && <FaultNotice fault={fault} />}
      <p role="status" className="visually-hidden" data-testid="trial-finding">
        {finding?.what}
      </p>
      {file && <ShownTrace key={file.name} file={file} run={run} isReading={importing !== null} />}
    </div>
  )
}
