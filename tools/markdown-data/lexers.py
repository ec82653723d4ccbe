# Writes the names and aliases of Pygments' lexers as JSON: python3 tools/markdown-data/lexers.py > <file>
# The names are data of Pygments (BSD-2-Clause, copyright the Pygments team); made with version 2.20.
import json
from pygments.lexers import get_all_lexers

known = set()
names = {}
for name, aliases, _, _ in sorted(get_all_lexers(plugins=False)):
    own = [alias.lower() for alias in aliases if alias.lower() not in known]
    known.update(own)
    if own:
        names[name] = own
print(json.dumps(names, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace('],"', '],\n"'))
