/** Names the tab after what it shows. */
import { useEffect } from 'react'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Host/Device Lab' : `${title} · Host/Device Lab`
  }, [title])
}
