/**
 * A page of sections, with their names beside them. The address may name one: it is scrolled to and
 * takes focus.
 */
import { type ReactNode, useEffect } from 'react'
import type { Section } from '../../../lessons/lesson'
import type { Table } from '../../../text/template'
import { addressOf, type RouteOf } from '../../state/url'
import { Inline } from '../prose/Inline'
import { parseInline, plainText } from '../prose/parse-prose'
import { ScrollTable } from '../ScrollTable'
import { useTitle } from '../use-title'
import { sections as method } from '../../../lessons/method.md'
import { sections as reference } from '../../../lessons/reference.md'
import './sections.css'

const ProseTable = ({ caption, columns, rows }: Table) => (
  <ScrollTable
    className="prose-table"
    label={plainText(parseInline(caption))}
    caption={<Inline text={caption} />}
    columns={columns.map(({ head }) => (
      <Inline key={head} text={head} />
    ))}
    classAt={columns.map(({ align }) => `align-${align}`)}
    rows={rows.map((cells) => cells.map((cell, index) => <Inline key={index} text={cell} />))}
  />
)

interface SectionsPageProps {
  readonly route: RouteOf<'method' | 'reference'>
  readonly title: string
  readonly lead: ReactNode
  readonly sections: readonly Section<string | Table>[]
}

export const SectionsPage = ({ route: { page, section }, title, lead, sections }: SectionsPageProps) => {
  useTitle(title)
  useEffect(() => {
    const heading = section === '' ? null : document.getElementById(section)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [section])
  return (
    <article className="page sections">
      <header className="page-head stack-12">
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </header>
      <div className="sections-body stack">
        <nav aria-label="On this page" className="sections-contents small no-print">
          <ol className="stack-8">
            {sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={addressOf({ page, section: id })}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="sections-text stack">
          {sections.map(({ id, heading, text }) => (
            <section key={id} className="stack-12" aria-labelledby={id}>
              <h2 id={id} tabIndex={-1}>
                {heading}
              </h2>
              <div className="prose">
                {text.map((part) =>
                  typeof part === 'string' ? (
                    <p key={part}>
                      <Inline text={part} />
                    </p>
                  ) : (
                    <ProseTable key={part.caption} {...part} />
                  ),
                )}
              </div>
            </section>
          ))}
        </div>
      </div>
    </article>
  )
}

/**
 * Whoever changes how something is measured changes method.md with it: the figures of a run are in
 * its report.
 */
export const MethodPage = ({ route }: { readonly route: RouteOf<'method'> }) => (
  <SectionsPage
    route={route}
    title="Method"
    lead={
      <>
        How the lab measures, what its bounds mean, and what it doesn’t claim. Rates of links and memory are
        in the <a href={addressOf({ page: 'reference', section: '' })}>reference</a>.
      </>
    }
    sections={method}
  />
)

/** Tables that lessons and questions link to, with their sources. */
export const ReferencePage = ({ route }: { readonly route: RouteOf<'reference'> }) => (
  <SectionsPage
    route={route}
    title="Reference"
    lead="Rates of links and memory, copies that block the host, collectives, hangs and pipelines."
    sections={reference}
  />
)
