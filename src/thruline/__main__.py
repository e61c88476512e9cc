"""`python -m thruline`."""

import sys

from thruline.cli.entry import main

sys.exit(main())
