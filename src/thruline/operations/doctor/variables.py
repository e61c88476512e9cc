"""Variables that look like ours."""

from thruline.config.schema import find_settings
from thruline.layout import VARIABLES
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import NOTE, Finding


def check_variables(around: Surroundings) -> list[Diagnosis]:
    """No variable has a name of ours and no meaning; one of a section that exists is the config check's to tell."""
    settings = list(find_settings())
    known = [*VARIABLES, *(each.variable for each in settings)]
    starts = tuple(f"THRULINE_{each.section}_".upper() for each in settings)
    fix = f"unset it; there are {', '.join(VARIABLES)} and one for each setting: thruline config list"
    found = []
    for name in sorted(around.env):
        if name.startswith("THRULINE_") and name not in known and not name.startswith(starts):
            what = f"{name} is set, and means nothing to thruline."
            found.append(Diagnosis(Finding("variables", NOTE, what, fix)))
    return found
