import { sum } from './sum'
describe('sum', () => {
  it('adds', () => { expect(sum(1, 2)).toBe(3) })
  test.each([[1, 2]])('adds %i', () => {})
  it.skip(`skips`, () => {})
  re.test('no test')
})
