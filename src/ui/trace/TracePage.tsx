/** Any trace file, by choice, drop, paste or address: read in a worker, shown with the analysis that the command line prints. */
import { useCallback, useEffect, useState } from 'react'
import { inBackground } from '../../state/in-background'
import { fail, succeed } from '../../base/result'
import { TRACE_OWNER, type OpenRequest } from '../../state/reading-store'
import type { Query } from '../../state/url'
import { FaultNotice } from '../FaultNotice'
import { useLab, type Lab } from '../lab-context'
import { useStore } from '../use-store'
import { FileButton } from '../reading/FileButton'
import { ReadingBar } from '../reading/ReadingBar'
import { useTitle } from '../use-title'
import { RecordingList, WhatOpens } from './OpenDoor'
import { findRecording } from './recordings'
import { ShownTrace } from './ShownTrace'
import { preloadTimeline } from '../run/TimelineView'
import { useGivenFiles } from './use-given-files'
import '../run/run.css'
import './trace.css'

/** What the address asks for; null: nothing. */
function addressed({ kept, files }: Lab, { recording, kept: key, d: link }: Query): OpenRequest | null {
  if (link !== undefined)
    return {
      name: 'A run from a link',
      from: `link:${link}`,
      origin: 'imported',
      take: () => files.openLink(link),
    }
  if (recording !== undefined) {
    const entry = findRecording(recording)
    return {
      name: entry?.file ?? recording,
      from: `recording:${recording}`,
      origin: 'recorded',
      take: async (signal) => {
        if (!entry)
          return fail({
            code: 'file',
            message: `There is no recording ‘${recording}’.`,
            hint: 'Choose one from the list.',
          })
        const response = await fetch(new URL(`recordings/${entry.file}`, document.baseURI), { signal })
        if (response.ok) return succeed(await response.blob())
        return fail({
          code: 'file',
          message: `The recording could not be fetched: the server answered ${String(response.status)}.`,
          hint: 'Reload the page.',
        })
      },
    }
  }
  if (key === undefined) return null
  const own = kept.store.getState().entries.find((entry) => entry.key === key)
  return {
    name: own?.run?.name ?? 'a kept run',
    from: `kept:${key}`,
    origin: own?.run && own.run.experiment !== '' ? 'recorded' : 'imported',
    take: () => kept.bytes(key),
  }
}

export const TracePage = ({ query }: { readonly query: Query }) => {
  const lab = useLab()
  const { opened, route } = lab
  const { reading, fault, shown } = useStore(opened.store)
  const run = useStore(lab.run.store)
  const [said, setSaid] = useState('')
  const file = run.owner === TRACE_OWNER && shown?.trace.spans === run.placed?.trace.spans ? shown : null
  useTitle(file ? file.name : 'Open a trace')

  useEffect(preloadTimeline, [])

  const { recording, kept: keptKey, d: link } = query
  const keptPhase = useStore(lab.kept.store, ({ phase }) => phase)
  /** What is kept has a name only when the list has been read. */
  const isReady = keptKey === undefined || keptPhase !== 'unread'
  useEffect(() => {
    const request = isReady
      ? addressed(lab, {
          ...(recording === undefined ? {} : { recording }),
          ...(keptKey === undefined ? {} : { kept: keptKey }),
          ...(link === undefined ? {} : { d: link }),
        })
      : null
    const { shown: last } = opened.store.getState()
    const isShown =
      last?.from === request?.from && last?.trace.spans === lab.run.store.getState().placed?.trace.spans
    if (request && !isShown) inBackground(opened.open(request))
  }, [lab, opened, recording, keptKey, link, isReady])
  // Whoever leaves while a file is read has not waited for it.
  useEffect(
    () => () => {
      opened.cancel()
    },
    [opened],
  )

  const take = useCallback(
    (files: readonly File[]) => {
      const [first] = files
      if (!first) return
      setSaid(files.length > 1 ? `One at a time: of ${String(files.length)} files the first was opened.` : '')
      // The address named what was shown before.
      route.replace({ page: 'trace', query: {} })
      inBackground(
        opened.open({
          name: first.name,
          from: '',
          origin: 'imported',
          take: () => Promise.resolve(succeed(first)),
        }),
      )
    },
    [opened, route],
  )
  const isOver = useGivenFiles(take)

  return (
    <article className="page trace-page" data-over={isOver || undefined}>
      <header className={file ? 'trace-head' : 'trace-head trace-head-door'}>
        <h1 data-file={file ? '' : undefined}>{file ? file.name : 'Open a trace'}</h1>
        {file ? (
          <FileButton label="Open another" look="small" onFiles={take} />
        ) : (
          <p className="lead">
            See what host and device did, and why the device was idle, in a profile from anywhere. The file is
            read here, in this page; nothing leaves your machine.
          </p>
        )}
      </header>
      {reading && <ReadingBar reading={reading} onCancel={opened.cancel} />}
      {fault && <FaultNotice fault={fault} />}
      <p role="status" className="small quiet trace-said">
        {said}
      </p>
      {file ? (
        <>
          <ShownTrace key={file.from + file.name} file={file} run={run} isReading={reading !== null} />
          <details className="trace-more">
            <summary>Recordings to compare with</summary>
            <RecordingList current={file.from} />
          </details>
        </>
      ) : (
        <div className="trace-door">
          <div className="trace-drop">
            <FileButton label="Choose a file" look="main" onFiles={take} />
            <p className="small quiet">or drop one anywhere on this page, or paste it</p>
            <WhatOpens />
          </div>
          <section aria-labelledby="recordings-title">
            <h2 id="recordings-title">Or open a recording</h2>
            <RecordingList current="" />
          </section>
        </div>
      )}
      {isOver && (
        <div className="trace-over" aria-hidden="true">
          <p>Drop it to open it here</p>
        </div>
      )}
    </article>
  )
}
