export function first(a: number) {
  if (a > 1 {
    return `x`
}

export function second(): string { return 'ok' }
export const third = 3
