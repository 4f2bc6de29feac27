/** A page of sections, with their names beside them. The address may name one: it is scrolled to and takes focus. */
import { useEffect, type ReactNode } from 'react'
import type { Section } from '../../../lessons/lesson'
import type { Table } from '../../../text/passage'
import { addressOf, type RouteOf } from '../../state/url'
import { Prose } from '../prose/Prose'
import { useTitle } from '../use-title'
import './sections.css'

export const SectionsPage = ({
  route: { page, section },
  title,
  lead,
  sections,
}: {
  readonly route: RouteOf<'method' | 'reference'>
  readonly title: string
  readonly lead: ReactNode
  readonly sections: readonly Section<string | Table>[]
}) => {
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
              <Prose text={text} />
            </section>
          ))}
        </div>
      </div>
    </article>
  )
}
