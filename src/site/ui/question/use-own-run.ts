/** The visitor's own last run of a lesson, where this browser has one. */
import { useEffect, useState } from 'react'
import { inBackground } from '../../state/in-background'
import type { Report } from '../../../trace/report'
import { useLoadedLab } from '../lab-context'

/** Null also until the rest of the lab is there: the page is drawn without it. */
export function useOwnRun(lesson: string): Report | null {
  const runs = useLoadedLab()?.lessonRuns
  const [own, setOwn] = useState<{ readonly lesson: string; readonly report: Report | null } | null>(null)
  useEffect(() => {
    if (!runs) return
    let isWanted = true
    inBackground(
      runs.measured(lesson).then((report) => {
        if (isWanted) setOwn({ lesson, report })
      }),
    )
    return () => {
      isWanted = false
    }
  }, [runs, lesson])
  return own?.lesson === lesson ? own.report : null
}
