/**
 * Notes that people put on a trace: a stretch of the host's axis (or a moment), a lane or none, a text. They travel in the file. A text is
 * data from whoever wrote the file: it is shown as text, never as markup. Limits keep a file's notes from outgrowing its spans.
 */
import { fail, succeed, type Result } from '../base/result'
import { MAX_ANNOTATION_CHARACTERS, MAX_ANNOTATIONS, type Annotation, type Trace } from './schema'

export interface AnnotationDraft {
  readonly startNs: number
  readonly endNs: number
  readonly lane: number | null
  readonly text: string
}

/** As it is kept: one line, no control characters, no half of a pair. '' where nothing is left. */
export const annotationText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()
    .slice(0, MAX_ANNOTATION_CHARACTERS)
    .replace(/\p{Cs}$/u, '') // the cut went through a pair
    .trim()

/** In the order of their starts, which is the order of every list of them. */
const sorted = (annotations: readonly Annotation[]): readonly Annotation[] =>
  annotations.toSorted((a, b) => a.startNs - b.startNs || a.endNs - b.endNs)

/** A new trace that shares all columns with the old one; a sentence why not otherwise. */
export function annotate(trace: Trace, draft: AnnotationDraft, createdAt: string): Result<Trace, string> {
  const { startNs, endNs, lane } = draft
  const text = annotationText(draft.text)
  if (text === '') return fail('A note needs a text.')
  if (!(Number.isFinite(startNs) && Number.isFinite(endNs) && endNs >= startNs))
    return fail('What is selected has no place on the host’s axis, so a note cannot point at it.')
  if (lane !== null && !trace.lanes[lane]) return fail('There is no such lane.')
  if (trace.annotations.length >= MAX_ANNOTATIONS)
    return fail(`A run holds at most ${String(MAX_ANNOTATIONS)} notes: delete one first.`)
  return succeed({
    ...trace,
    annotations: sorted([...trace.annotations, { startNs, endNs, lane, text, createdAt }]),
  })
}

/** Null takes the note away; a text replaces it, and dates it anew. What has no such note, or no text, stays as it is. */
export function reviseAnnotation(trace: Trace, index: number, text: string | null, createdAt: string): Trace {
  const old = trace.annotations[index]
  const kept = text === null ? null : annotationText(text)
  if (!old || kept === '' || kept === old.text) return trace
  return {
    ...trace,
    annotations: trace.annotations.flatMap((each, at) => {
      if (at !== index) return [each]
      return kept === null ? [] : [{ ...each, text: kept, createdAt }]
    }),
  }
}

/** Tells two states of a run's notes apart without holding them: '' for none. */
export const annotationsVersion = ({ annotations }: Trace): string => {
  if (annotations.length === 0) return ''
  const newest = annotations.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '')
  return `${String(annotations.length)} ${newest}`
}
