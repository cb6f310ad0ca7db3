// Long lists come by columns (cairn/report/packed_json.hpp); the page wants objects.

function list({packed, columns}) {
  const rows = Array.from({length: packed}, () => ({}));
  for (const [key, column] of Object.entries(columns)) {
    if (Array.isArray(column))
      column.forEach((value, index) => {
        if (value !== null) rows[index][key] = value;
      });
    else
      column.at.forEach((place, index) => {
        if (place >= 0) rows[index][key] = column.words[place];
      });
  }
  return rows;
}

export function unpacked(result) {
  if (result === null || typeof result !== 'object') return result;
  return Object.fromEntries(
    Object.entries(result).map(([key, value]) => [
      key,
      value?.packed !== undefined && value.columns ? list(value) : value,
    ]),
  );
}
