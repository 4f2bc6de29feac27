/** Files of the visitor's, opened and shown on the page 'trace', from wherever they were given. */
import { useCallback } from 'react'
import { succeed } from '../../../base/result'
import type { NamedFile } from '../../import-worker/protocol'
import { inBackground } from '../../state/in-background'
import { formatCount } from '../format'
import { useLab, type AppContext } from '../lab-context'

export const given = (files: readonly File[]): readonly NamedFile[] =>
  files.map((file) => ({ name: file.name, blob: file }))

export function openFiles({ opened }: Pick<AppContext, 'opened'>, files: readonly NamedFile[]): void {
  const [first] = files
  if (!first) return
  inBackground(
    opened.open({
      name: files.length === 1 ? first.name : formatCount(files.length, 'file'),
      from: '',
      origin: 'imported',
      take: () => Promise.resolve(succeed(files)),
    }),
  )
}

/** For another page: leads to 'trace'. */
export function useOpenFiles(): (files: readonly File[]) => void {
  const lab = useLab()
  return useCallback(
    (files) => {
      if (files.length === 0) return
      lab.route.go({ page: 'trace', query: {} })
      openFiles(lab, given(files))
    },
    [lab],
  )
}
