export const PROSE = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
export const MARKED =
  '**Bold** words for @**small0**, see https://example.com/page and `code` in it :smile: today, _and so on_.'
