import { formatNumber } from './format'

/** As browsers and download pages count: '12.3 MB', of 10⁶ bytes. */
export const formatMegabytes = (bytes: number): string => `${formatNumber(Math.round(bytes / 1e5) / 10)} MB`
